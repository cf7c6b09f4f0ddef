//! Calls that are there to say that they aren't supported: a program that asks for them by name finds them, and learns it.

/// Their arguments aren't looked at, so that none need be declared: the caller cleans up in the C ABI.
macro_rules! unsupported {
    ($($name:ident $([$suffix:ident])?)*) => {
        driver! {
            $(fn $name $([$suffix])? () { Err($crate::error::Error::NOT_SUPPORTED) })*
        }
    };
}

unsupported! {
    cuArray3DCreate cuArray3DGetDescriptor cuArrayCreate cuArrayGetDescriptor cuArrayGetPlane
    cuArrayGetSparseProperties cuCheckpointOperationComplete cuCheckpointProcessCheckpoint
    cuCheckpointProcessGetRestoreThreadId cuCheckpointProcessGetState cuCheckpointProcessLock
    cuCheckpointProcessRestore cuCheckpointProcessUnlock cuCoredumpDeregisterCompleteCallback
    cuCoredumpDeregisterStartCallback cuCoredumpGetAttribute cuCoredumpGetAttributeGlobal
    cuCoredumpRegisterCompleteCallback cuCoredumpRegisterStartCallback cuCoredumpSetAttribute
    cuCoredumpSetAttributeGlobal cuCtxFromGreenCtx cuCtxGetDevResource cuCtxGetExecAffinity cuCtxRecordEvent
    cuCtxWaitEvent cuDestroyExternalMemory cuDestroyExternalSemaphore cuDeviceGetCliqueCount cuDeviceGetCliqueInfo
    cuDeviceGetDevResource cuDeviceGetFabricClusterUuid cuDeviceGetHostAtomicCapabilities cuDeviceGetLuid
    cuDeviceGetNvSciSyncAttributes cuDeviceGetP2PAtomicCapabilities cuDeviceRegisterAsyncNotification
    cuDeviceTotalMem cuDeviceUnregisterAsyncNotification cuDevResourceGenerateDesc cuDevSmResourceSplit
    cuDevSmResourceSplitByCount cuExternalMemoryGetMappedBuffer cuExternalMemoryGetMappedMipmappedArray
    cuFabricCpyBatchAsync[ptsz] cuFlushGPUDirectRDMAWrites cuFuncSetBlockShape cuFuncSetSharedSize
    cuGraphAddBatchMemOpNode cuGraphAddExternalSemaphoresSignalNode cuGraphAddExternalSemaphoresWaitNode
    cuGraphAddNode_v3 cuGraphBatchMemOpNodeGetParams cuGraphBatchMemOpNodeSetParams cuGraphConditionalHandleCreate
    cuGraphExecBatchMemOpNodeSetParams cuGraphExecExternalSemaphoresSignalNodeSetParams
    cuGraphExecExternalSemaphoresWaitNodeSetParams cuGraphExecGetId cuGraphExternalSemaphoresSignalNodeGetParams
    cuGraphExternalSemaphoresSignalNodeSetParams cuGraphExternalSemaphoresWaitNodeGetParams
    cuGraphExternalSemaphoresWaitNodeSetParams cuGraphGetId cuGraphicsMapResources[ptsz]
    cuGraphicsResourceGetMappedMipmappedArray cuGraphicsResourceGetMappedPointer
    cuGraphicsResourceGetMappedPointer_v2 cuGraphicsResourceSetMapFlags cuGraphicsResourceSetMapFlags_v2
    cuGraphicsSubResourceGetMappedArray cuGraphicsUnmapResources[ptsz] cuGraphicsUnregisterResource
    cuGraphNodeGetContainingGraph cuGraphNodeGetLocalId cuGraphNodeGetToolsId cuGraphNodeSetParams_v2
    cuGraphReleaseUserObject cuGraphRetainUserObject cuGreenCtxCreate cuGreenCtxDestroy cuGreenCtxGetDevResource
    cuGreenCtxGetId cuGreenCtxRecordEvent cuGreenCtxStreamCreate cuGreenCtxWaitEvent cuImportExternalMemory
    cuImportExternalSemaphore cuLaunch cuLaunchCooperativeKernelMultiDevice cuLaunchGrid cuLaunchGridAsync
    cuLogicalEndpointAddDevice cuLogicalEndpointBindAddr cuLogicalEndpointBindMem cuLogicalEndpointCreate
    cuLogicalEndpointDestroy cuLogicalEndpointExport cuLogicalEndpointGetLimits cuLogicalEndpointIdRelease
    cuLogicalEndpointIdReserve cuLogicalEndpointImport cuLogicalEndpointQuery cuLogicalEndpointUnbind cuLogsCurrent
    cuLogsDumpToFile cuLogsDumpToMemory cuLogsRegisterCallback cuLogsUnregisterCallback cuMemAddressFree
    cuMemAddressReserve cuMemAlloc cuMemAllocPitch cuMemBatchDecompressAsync[ptsz] cuMemcpy2D cuMemcpy2DAsync
    cuMemcpy2DUnaligned cuMemcpy3D cuMemcpy3DAsync cuMemcpy3DBatchAsync[ptsz] cuMemcpy3DBatchAsync_v2[ptsz]
    cuMemcpy3DWithAttributesAsync[ptsz] cuMemcpyAtoA cuMemcpyAtoD cuMemcpyAtoH cuMemcpyAtoHAsync
    cuMemcpyBatchAsync[ptsz] cuMemcpyBatchAsync_v2[ptsz] cuMemcpyDtoA cuMemcpyDtoD cuMemcpyDtoDAsync cuMemcpyDtoH
    cuMemcpyDtoHAsync cuMemcpyHtoA cuMemcpyHtoAAsync cuMemcpyHtoD cuMemcpyHtoDAsync
    cuMemcpyWithAttributesAsync[ptsz] cuMemCreate cuMemDiscardAndPrefetchBatchAsync[ptsz]
    cuMemDiscardBatchAsync[ptsz] cuMemExportToShareableHandle cuMemFree cuMemGetAccess cuMemGetAddressRange
    cuMemGetAllocationGranularity cuMemGetAllocationPropertiesFromHandle cuMemGetDefaultMemPool
    cuMemGetHandleForAddressRange cuMemGetInfo cuMemGetLocationInfo cuMemGetMemPool cuMemHostGetDevicePointer
    cuMemImportFromShareableHandle cuMemMap cuMemMapArrayAsync[ptsz] cuMemPoolExportPointer
    cuMemPoolExportToShareableHandle cuMemPoolImportFromShareableHandle cuMemPoolImportPointer
    cuMemPrefetchBatchAsync[ptsz] cuMemRelease cuMemRetainAllocationHandle cuMemSetAccess cuMemsetD16 cuMemsetD2D16
    cuMemsetD2D32 cuMemsetD2D8 cuMemsetD32 cuMemsetD8 cuMemSetMemPool cuMemUnmap
    cuMipmappedArrayGetSparseProperties cuModuleGetGlobal cuMulticastAddDevice cuMulticastBindAddr
    cuMulticastBindAddr_v2 cuMulticastBindMem cuMulticastBindMem_v2 cuMulticastCreate cuMulticastGetGranularity
    cuMulticastUnbind cuParamSetf cuParamSeti cuParamSetSize cuParamSetTexRef cuParamSetv
    cuSignalExternalSemaphoresAsync[ptsz] cuStreamBeginCapture[ptsz] cuStreamBeginCaptureToCig[ptsz]
    cuStreamBeginCaptureToGraph[ptsz] cuStreamBeginRecaptureToGraph[ptsz] cuStreamEndCaptureToCig[ptsz]
    cuStreamGetCtx_v2[ptsz] cuStreamGetDevResource[ptsz] cuStreamGetGreenCtx cuTensorMapEncodeIm2col
    cuTensorMapEncodeIm2colWide cuTensorMapSetAllocationClass cuTexRefGetAddress cuTexRefSetAddress
    cuTexRefSetAddress2D cuUserObjectCreate cuUserObjectRelease cuUserObjectRetain
    cuWaitExternalSemaphoresAsync[ptsz]
}
