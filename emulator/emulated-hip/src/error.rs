//! Errors of the runtime: their numbers, names and texts.

use std::ffi::{CStr, c_char, c_int};

pub(crate) use gridwright_emulated_driver::error::Error;

use crate::abi::Out;

/// All numbers that HIP 6.3 has.
const TEXTS: &[(c_int, &CStr, &CStr)] = &[
    (0, c"hipSuccess", c"no error"),
    (1, c"hipErrorInvalidValue", c"invalid value"),
    (2, c"hipErrorOutOfMemory", c"out of memory"),
    (3, c"hipErrorNotInitialized", c"not initialized"),
    (4, c"hipErrorDeinitialized", c"deinitialized"),
    (5, c"hipErrorProfilerDisabled", c"profiler disabled"),
    (6, c"hipErrorProfilerNotInitialized", c"profiler not initialized"),
    (7, c"hipErrorProfilerAlreadyStarted", c"profiler already started"),
    (8, c"hipErrorProfilerAlreadyStopped", c"profiler already stopped"),
    (9, c"hipErrorInvalidConfiguration", c"invalid configuration"),
    (12, c"hipErrorInvalidPitchValue", c"invalid pitch value"),
    (13, c"hipErrorInvalidSymbol", c"invalid symbol"),
    (17, c"hipErrorInvalidDevicePointer", c"invalid device pointer"),
    (21, c"hipErrorInvalidMemcpyDirection", c"invalid memcpy direction"),
    (35, c"hipErrorInsufficientDriver", c"insufficient driver"),
    (52, c"hipErrorMissingConfiguration", c"missing configuration"),
    (53, c"hipErrorPriorLaunchFailure", c"prior launch failure"),
    (98, c"hipErrorInvalidDeviceFunction", c"invalid device function"),
    (100, c"hipErrorNoDevice", c"no device"),
    (101, c"hipErrorInvalidDevice", c"invalid device"),
    (200, c"hipErrorInvalidImage", c"invalid image"),
    (201, c"hipErrorInvalidContext", c"invalid context"),
    (202, c"hipErrorContextAlreadyCurrent", c"context already current"),
    (205, c"hipErrorMapFailed", c"map failed"),
    (206, c"hipErrorUnmapFailed", c"unmap failed"),
    (207, c"hipErrorArrayIsMapped", c"array is mapped"),
    (208, c"hipErrorAlreadyMapped", c"already mapped"),
    (209, c"hipErrorNoBinaryForGpu", c"no binary for GPU"),
    (210, c"hipErrorAlreadyAcquired", c"already acquired"),
    (211, c"hipErrorNotMapped", c"not mapped"),
    (212, c"hipErrorNotMappedAsArray", c"not mapped as array"),
    (213, c"hipErrorNotMappedAsPointer", c"not mapped as pointer"),
    (214, c"hipErrorECCNotCorrectable", c"ECC not correctable"),
    (215, c"hipErrorUnsupportedLimit", c"unsupported limit"),
    (216, c"hipErrorContextAlreadyInUse", c"context already in use"),
    (217, c"hipErrorPeerAccessUnsupported", c"peer access unsupported"),
    (218, c"hipErrorInvalidKernelFile", c"invalid kernel file"),
    (219, c"hipErrorInvalidGraphicsContext", c"invalid graphics context"),
    (300, c"hipErrorInvalidSource", c"invalid source"),
    (301, c"hipErrorFileNotFound", c"file not found"),
    (302, c"hipErrorSharedObjectSymbolNotFound", c"shared object symbol not found"),
    (303, c"hipErrorSharedObjectInitFailed", c"shared object init failed"),
    (304, c"hipErrorOperatingSystem", c"operating system"),
    (400, c"hipErrorInvalidHandle", c"invalid handle"),
    (401, c"hipErrorIllegalState", c"illegal state"),
    (500, c"hipErrorNotFound", c"not found"),
    (600, c"hipErrorNotReady", c"not ready"),
    (700, c"hipErrorIllegalAddress", c"illegal address"),
    (701, c"hipErrorLaunchOutOfResources", c"launch out of resources"),
    (702, c"hipErrorLaunchTimeOut", c"launch time out"),
    (704, c"hipErrorPeerAccessAlreadyEnabled", c"peer access already enabled"),
    (705, c"hipErrorPeerAccessNotEnabled", c"peer access not enabled"),
    (708, c"hipErrorSetOnActiveProcess", c"set on active process"),
    (709, c"hipErrorContextIsDestroyed", c"context is destroyed"),
    (710, c"hipErrorAssert", c"assert"),
    (712, c"hipErrorHostMemoryAlreadyRegistered", c"host memory already registered"),
    (713, c"hipErrorHostMemoryNotRegistered", c"host memory not registered"),
    (719, c"hipErrorLaunchFailure", c"launch failure"),
    (720, c"hipErrorCooperativeLaunchTooLarge", c"cooperative launch too large"),
    (801, c"hipErrorNotSupported", c"not supported"),
    (900, c"hipErrorStreamCaptureUnsupported", c"stream capture unsupported"),
    (901, c"hipErrorStreamCaptureInvalidated", c"stream capture invalidated"),
    (902, c"hipErrorStreamCaptureMerge", c"stream capture merge"),
    (903, c"hipErrorStreamCaptureUnmatched", c"stream capture unmatched"),
    (904, c"hipErrorStreamCaptureUnjoined", c"stream capture unjoined"),
    (905, c"hipErrorStreamCaptureIsolation", c"stream capture isolation"),
    (906, c"hipErrorStreamCaptureImplicit", c"stream capture implicit"),
    (907, c"hipErrorCapturedEvent", c"captured event"),
    (908, c"hipErrorStreamCaptureWrongThread", c"stream capture wrong thread"),
    (910, c"hipErrorGraphExecUpdateFailure", c"graph exec update failure"),
    (911, c"hipErrorInvalidChannelDescriptor", c"invalid channel descriptor"),
    (912, c"hipErrorInvalidTexture", c"invalid texture"),
    (999, c"hipErrorUnknown", c"unknown"),
    (1052, c"hipErrorRuntimeMemory", c"runtime memory"),
    (1053, c"hipErrorRuntimeOther", c"runtime other"),
];

fn find(code: c_int) -> Option<&'static (c_int, &'static CStr, &'static CStr)> {
    TEXTS.iter().find(|(number, ..)| *number == code)
}

fn name(code: c_int) -> &'static CStr {
    find(code).map_or(c"hipErrorUnknown", |(_, name, _)| name)
}

fn text(code: c_int) -> &'static CStr {
    find(code).map_or(c"unknown error", |(.., text)| text)
}

/// The name of an error. HIP's own two functions give the text itself, not an answer.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "hip_runtime_api.h has it so")]
extern "C" fn hipGetErrorName(code: c_int) -> *const c_char {
    name(code).as_ptr()
}

/// What an error means.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "hip_runtime_api.h has it so")]
extern "C" fn hipGetErrorString(code: c_int) -> *const c_char {
    text(code).as_ptr()
}

hip! {
    fn hipDrvGetErrorName(code: c_int, text: Out<*const c_char>) since (5, 4) {
        find(code).ok_or(Error::INVALID_VALUE)?;
        text.put(name(code).as_ptr())
    }

    fn hipDrvGetErrorString(code: c_int, text: Out<*const c_char>) since (5, 4) {
        find(code).ok_or(Error::INVALID_VALUE)?;
        text.put(self::text(code).as_ptr())
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, TEXTS, name};

    #[test]
    fn numbers_have_one_name_each() {
        assert!(TEXTS.is_sorted_by(|(one, ..), (other, ..)| one < other));
        assert_eq!(name(Error::NO_BINARY_FOR_GPU.code()), c"hipErrorNoBinaryForGpu");
        assert_eq!(name(-1), c"hipErrorUnknown");
    }
}
