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
    cuArray3DCreate cuArray3DGetDescriptor cuArray3DGetDescriptor_v2 cuArrayCreate cuArrayGetDescriptor
    cuArrayGetDescriptor_v2 cuArrayGetMemoryRequirements cuArrayGetPlane cuArrayGetSparseProperties
    cuCheckpointOperationComplete cuCheckpointProcessCheckpoint cuCheckpointProcessGetRestoreThreadId
    cuCheckpointProcessGetState cuCheckpointProcessLock cuCheckpointProcessRestore cuCheckpointProcessUnlock
    cuCoredumpDeregisterCompleteCallback cuCoredumpDeregisterStartCallback cuCoredumpGetAttribute
    cuCoredumpGetAttributeGlobal cuCoredumpRegisterCompleteCallback cuCoredumpRegisterStartCallback
    cuCoredumpSetAttribute cuCoredumpSetAttributeGlobal cuCtxAttach cuCtxDetach cuCtxFromGreenCtx cuCtxGetDevResource
    cuCtxGetDevice_v2 cuCtxGetExecAffinity cuCtxGetSharedMemConfig cuCtxRecordEvent cuCtxResetPersistingL2Cache
    cuCtxSetSharedMemConfig cuCtxSynchronize_v2 cuCtxWaitEvent cuDestroyExternalMemory cuDestroyExternalSemaphore
    cuDevResourceGenerateDesc cuDevSmResourceSplit cuDevSmResourceSplitByCount cuDeviceGetCliqueCount
    cuDeviceGetCliqueInfo cuDeviceGetDevResource cuDeviceGetExecAffinitySupport cuDeviceGetFabricClusterUuid
    cuDeviceGetGraphMemAttribute cuDeviceGetHostAtomicCapabilities cuDeviceGetLuid cuDeviceGetNvSciSyncAttributes
    cuDeviceGetP2PAtomicCapabilities cuDeviceGetProperties cuDeviceGetTexture1DLinearMaxWidth cuDeviceGraphMemTrim
    cuDeviceRegisterAsyncNotification cuDeviceSetGraphMemAttribute cuDeviceTotalMem
    cuDeviceUnregisterAsyncNotification cuExternalMemoryGetMappedBuffer cuExternalMemoryGetMappedMipmappedArray
    cuFabricCpyBatchAsync[ptsz] cuFlushGPUDirectRDMAWrites cuFuncSetBlockShape cuFuncSetSharedMemConfig
    cuFuncSetSharedSize cuGraphAddBatchMemOpNode cuGraphAddChildGraphNode cuGraphAddDependencies
    cuGraphAddDependencies_v2 cuGraphAddEventRecordNode cuGraphAddEventWaitNode cuGraphAddExternalSemaphoresSignalNode
    cuGraphAddExternalSemaphoresWaitNode cuGraphAddKernelNode cuGraphAddMemAllocNode cuGraphAddMemFreeNode
    cuGraphAddNode cuGraphAddNode_v2 cuGraphAddNode_v3 cuGraphBatchMemOpNodeGetParams cuGraphBatchMemOpNodeSetParams
    cuGraphChildGraphNodeGetGraph cuGraphClone cuGraphConditionalHandleCreate cuGraphDebugDotPrint cuGraphDestroyNode
    cuGraphEventRecordNodeGetEvent cuGraphEventRecordNodeSetEvent cuGraphEventWaitNodeGetEvent
    cuGraphEventWaitNodeSetEvent cuGraphExecBatchMemOpNodeSetParams cuGraphExecChildGraphNodeSetParams
    cuGraphExecEventRecordNodeSetEvent cuGraphExecEventWaitNodeSetEvent
    cuGraphExecExternalSemaphoresSignalNodeSetParams cuGraphExecExternalSemaphoresWaitNodeSetParams
    cuGraphExecGetFlags cuGraphExecGetId cuGraphExecHostNodeSetParams cuGraphExecKernelNodeSetParams
    cuGraphExecMemcpyNodeSetParams cuGraphExecMemsetNodeSetParams cuGraphExecNodeSetParams cuGraphExecUpdate
    cuGraphExecUpdate_v2 cuGraphExternalSemaphoresSignalNodeGetParams cuGraphExternalSemaphoresSignalNodeSetParams
    cuGraphExternalSemaphoresWaitNodeGetParams cuGraphExternalSemaphoresWaitNodeSetParams cuGraphGetEdges
    cuGraphGetEdges_v2 cuGraphGetId cuGraphGetNodes cuGraphGetRootNodes cuGraphHostNodeGetParams
    cuGraphHostNodeSetParams cuGraphInstantiate cuGraphInstantiateWithParams[ptsz] cuGraphInstantiate_v2
    cuGraphKernelNodeCopyAttributes cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
    cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2 cuGraphMemAllocNodeGetParams cuGraphMemFreeNodeGetParams
    cuGraphMemcpyNodeGetParams cuGraphMemcpyNodeSetParams cuGraphMemsetNodeGetParams cuGraphMemsetNodeSetParams
    cuGraphNodeFindInClone cuGraphNodeGetContainingGraph cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
    cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetEnabled cuGraphNodeGetLocalId
    cuGraphNodeGetParams cuGraphNodeGetToolsId cuGraphNodeGetType cuGraphNodeSetEnabled cuGraphNodeSetParams
    cuGraphNodeSetParams_v2 cuGraphReleaseUserObject cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
    cuGraphRetainUserObject cuGraphicsMapResources[ptsz] cuGraphicsResourceGetMappedMipmappedArray
    cuGraphicsResourceGetMappedPointer cuGraphicsResourceGetMappedPointer_v2 cuGraphicsResourceSetMapFlags
    cuGraphicsResourceSetMapFlags_v2 cuGraphicsSubResourceGetMappedArray cuGraphicsUnmapResources[ptsz]
    cuGraphicsUnregisterResource cuGreenCtxCreate cuGreenCtxDestroy cuGreenCtxGetDevResource cuGreenCtxGetId
    cuGreenCtxRecordEvent cuGreenCtxStreamCreate cuGreenCtxWaitEvent cuImportExternalMemory cuImportExternalSemaphore
    cuIpcCloseMemHandle cuIpcGetEventHandle cuIpcGetMemHandle cuIpcOpenEventHandle cuIpcOpenMemHandle
    cuIpcOpenMemHandle_v2 cuKernelGetAttribute cuKernelGetFunction cuKernelGetLibrary cuKernelGetName
    cuKernelGetParamCount cuKernelGetParamInfo cuKernelSetAttribute cuKernelSetCacheConfig cuLaunch
    cuLaunchCooperativeKernelMultiDevice cuLaunchGrid cuLaunchGridAsync cuLaunchHostFunc_v2[ptsz]
    cuLibraryEnumerateKernels cuLibraryGetGlobal cuLibraryGetKernel cuLibraryGetKernelCount cuLibraryGetManaged
    cuLibraryGetModule cuLibraryGetUnifiedFunction cuLibraryLoadData cuLibraryLoadFromFile cuLibraryUnload

     cuLogicalEndpointAddDevice cuLogicalEndpointBindAddr cuLogicalEndpointBindMem
    cuLogicalEndpointCreate cuLogicalEndpointDestroy cuLogicalEndpointExport cuLogicalEndpointGetLimits
    cuLogicalEndpointIdRelease cuLogicalEndpointIdReserve cuLogicalEndpointImport cuLogicalEndpointQuery
    cuLogicalEndpointUnbind cuLogsCurrent cuLogsDumpToFile cuLogsDumpToMemory cuLogsRegisterCallback
    cuLogsUnregisterCallback cuMemAddressFree cuMemAddressReserve cuMemAdvise_v2 cuMemAlloc cuMemAllocPitch
    cuMemBatchDecompressAsync[ptsz] cuMemCreate cuMemDiscardAndPrefetchBatchAsync[ptsz] cuMemDiscardBatchAsync[ptsz]
    cuMemExportToShareableHandle cuMemFree cuMemGetAccess cuMemGetAddressRange cuMemGetAllocationGranularity
    cuMemGetAllocationPropertiesFromHandle cuMemGetDefaultMemPool cuMemGetHandleForAddressRange cuMemGetInfo
    cuMemGetLocationInfo cuMemGetMemPool cuMemHostGetDevicePointer cuMemImportFromShareableHandle cuMemMap
    cuMemMapArrayAsync[ptsz] cuMemPoolExportPointer cuMemPoolExportToShareableHandle
    cuMemPoolImportFromShareableHandle cuMemPoolImportPointer cuMemPrefetchAsync_v2[ptsz]
    cuMemPrefetchBatchAsync[ptsz] cuMemRangeGetAttributes cuMemRelease cuMemRetainAllocationHandle cuMemSetAccess
    cuMemSetMemPool cuMemUnmap cuMemcpy2D cuMemcpy2DAsync cuMemcpy2DUnaligned cuMemcpy3D cuMemcpy3DAsync
    cuMemcpy3DBatchAsync[ptsz] cuMemcpy3DBatchAsync_v2[ptsz] cuMemcpy3DWithAttributesAsync[ptsz] cuMemcpyAtoA
    cuMemcpyAtoA_v2[ptds] cuMemcpyAtoD cuMemcpyAtoD_v2[ptds] cuMemcpyAtoH cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2[ptsz]
    cuMemcpyAtoH_v2[ptds] cuMemcpyBatchAsync[ptsz] cuMemcpyBatchAsync_v2[ptsz] cuMemcpyDtoA cuMemcpyDtoA_v2[ptds]
    cuMemcpyDtoD cuMemcpyDtoDAsync cuMemcpyDtoH cuMemcpyDtoHAsync cuMemcpyHtoA cuMemcpyHtoAAsync
    cuMemcpyHtoAAsync_v2[ptsz] cuMemcpyHtoA_v2[ptds] cuMemcpyHtoD cuMemcpyHtoDAsync cuMemcpyWithAttributesAsync[ptsz]
    cuMemsetD16 cuMemsetD2D16 cuMemsetD2D32 cuMemsetD2D8 cuMemsetD32 cuMemsetD8 cuMipmappedArrayCreate
    cuMipmappedArrayDestroy cuMipmappedArrayGetLevel cuMipmappedArrayGetMemoryRequirements
    cuMipmappedArrayGetSparseProperties cuModuleEnumerateFunctions cuModuleGetGlobal cuModuleGetSurfRef
    cuModuleGetTexRef cuModuleLoadFatBinary cuMulticastAddDevice cuMulticastBindAddr cuMulticastBindAddr_v2
    cuMulticastBindMem cuMulticastBindMem_v2 cuMulticastCreate cuMulticastGetGranularity cuMulticastUnbind
    cuParamSetSize cuParamSetTexRef cuParamSetf cuParamSeti cuParamSetv cuPointerSetAttribute
    cuSignalExternalSemaphoresAsync[ptsz] cuStreamBatchMemOp[ptsz] cuStreamBatchMemOp_v2[ptsz]
    cuStreamBeginCapture[ptsz] cuStreamBeginCaptureToCig[ptsz] cuStreamBeginCaptureToGraph[ptsz]
    cuStreamBeginCapture_v2[ptsz] cuStreamBeginRecaptureToGraph[ptsz] cuStreamCopyAttributes[ptsz]
    cuStreamEndCapture[ptsz] cuStreamEndCaptureToCig[ptsz] cuStreamGetAttribute[ptsz] cuStreamGetCaptureInfo[ptsz]
    cuStreamGetCaptureInfo_v2[ptsz] cuStreamGetCaptureInfo_v3[ptsz] cuStreamGetCtx_v2[ptsz]
    cuStreamGetDevResource[ptsz] cuStreamGetGreenCtx cuStreamSetAttribute[ptsz]
    cuStreamUpdateCaptureDependencies[ptsz] cuStreamUpdateCaptureDependencies_v2[ptsz] cuStreamWaitValue32[ptsz]
    cuStreamWaitValue32_v2[ptsz] cuStreamWaitValue64[ptsz] cuStreamWaitValue64_v2[ptsz] cuStreamWriteValue32[ptsz]
    cuStreamWriteValue32_v2[ptsz] cuStreamWriteValue64[ptsz] cuStreamWriteValue64_v2[ptsz] cuSurfObjectGetResourceDesc
    cuSurfRefGetArray cuSurfRefSetArray cuTensorMapEncodeIm2col cuTensorMapEncodeIm2colWide cuTensorMapEncodeTiled
    cuTensorMapReplaceAddress cuTensorMapSetAllocationClass cuTexObjectGetResourceDesc cuTexObjectGetResourceViewDesc
    cuTexObjectGetTextureDesc cuTexRefCreate cuTexRefDestroy cuTexRefGetAddress cuTexRefGetAddressMode
    cuTexRefGetAddress_v2 cuTexRefGetArray cuTexRefGetBorderColor cuTexRefGetFilterMode cuTexRefGetFlags
    cuTexRefGetFormat cuTexRefGetMaxAnisotropy cuTexRefGetMipmapFilterMode cuTexRefGetMipmapLevelBias
    cuTexRefGetMipmapLevelClamp cuTexRefGetMipmappedArray cuTexRefSetAddress cuTexRefSetAddress2D
    cuTexRefSetAddress2D_v2 cuTexRefSetAddress2D_v3 cuTexRefSetAddressMode cuTexRefSetAddress_v2 cuTexRefSetArray
    cuTexRefSetBorderColor cuTexRefSetFilterMode cuTexRefSetFlags cuTexRefSetFormat cuTexRefSetMaxAnisotropy
    cuTexRefSetMipmapFilterMode cuTexRefSetMipmapLevelBias cuTexRefSetMipmapLevelClamp cuTexRefSetMipmappedArray
    cuThreadExchangeStreamCaptureMode cuUserObjectCreate cuUserObjectRelease cuUserObjectRetain
    cuWaitExternalSemaphoresAsync[ptsz]
}
