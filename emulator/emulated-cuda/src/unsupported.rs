//! Calls that are there to say that they aren't supported: a program that asks for them by name finds them, and learns it.

/// Their arguments aren't looked at, so that none need be declared: the caller cleans up in the C ABI.
macro_rules! unsupported {
    ($($name:ident)*) => {
        driver! {
            $(fn $name() { Err($crate::error::Error::NOT_SUPPORTED) })*
        }
    };
}

unsupported! {
    cuStreamBeginCapture_v2 cuStreamBeginCaptureToGraph cuStreamEndCapture cuStreamGetCaptureInfo_v2
    cuStreamGetCaptureInfo_v3 cuStreamUpdateCaptureDependencies cuThreadExchangeStreamCaptureMode
    cuGraphClone cuGraphInstantiateWithParams cuGraphExecUpdate_v2 cuGraphGetNodes cuGraphGetRootNodes cuGraphGetEdges
    cuGraphNodeGetType cuGraphAddDependencies cuGraphRemoveDependencies cuGraphDestroyNode cuGraphDebugDotPrint
    cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeSetParams_v2 cuGraphExecMemcpyNodeSetParams
    cuGraphExecMemsetNodeSetParams cuGraphExecHostNodeSetParams cuGraphAddEventRecordNode cuGraphAddEventWaitNode
    cuGraphAddMemAllocNode cuGraphAddMemFreeNode cuGraphAddChildGraphNode cuDeviceGraphMemTrim
    cuLibraryLoadData cuLibraryLoadFromFile cuLibraryUnload cuLibraryGetKernel cuLibraryGetModule cuLibraryGetGlobal
    cuKernelGetFunction cuModuleLoadFatBinary cuLinkCreate_v2 cuLinkAddData_v2 cuLinkAddFile_v2 cuLinkComplete
    cuLinkDestroy
    cuImportExternalMemory cuExternalMemoryGetMappedBuffer cuDestroyExternalMemory
    cuMemAddressReserve cuMemAddressFree cuMemCreate cuMemRelease cuMemMap cuMemUnmap cuMemSetAccess
    cuMemGetAllocationGranularity cuMemAdvise_v2 cuMemPrefetchAsync_v2
    cuIpcGetMemHandle cuIpcOpenMemHandle_v2 cuIpcCloseMemHandle cuMemPoolExportToShareableHandle
}
