// What CUDA C calls textures and surfaces: each function once, in the forms that nvcc compiles differently.
#include <cuda_runtime.h>

extern "C" __global__ void sample(cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t volume, float4 *out)
{
    out[0] = tex1D<float4>(line, 1.0f);
    out[1] = tex1Dfetch<float4>(line, 2);
    out[2] = tex2D<float4>(plane, 1.0f, 1.0f);
    out[3] = tex2Dgather<float4>(plane, 1.0f, 1.0f, 1);
    bool resident;
    out[4] = tex2D<float4>(plane, 0.5f, 1.5f, &resident);
    out[4].w = resident ? 1.0f : 0.0f;
    out[5] = tex3D<float4>(volume, 1.0f, 1.0f, 1.0f);
}

extern "C" __global__ void detail(cudaTextureObject_t levels, float4 *out)
{
    out[0] = tex2DLod<float4>(levels, 0.5f, 0.5f, 1.0f);
    out[1] = tex2DGrad<float4>(levels, 0.5f, 0.5f, make_float2(0.5f, 0.0f), make_float2(0.0f, 0.25f));
    out[2] = tex2D<float4>(levels, 0.5f, 0.5f);
}

extern "C" __global__ void layers(cudaTextureObject_t lines, cudaTextureObject_t planes, cudaTextureObject_t cube,
                                  cudaTextureObject_t cubes, float4 *out)
{
    out[0] = tex1DLayered<float4>(lines, 0.5f, 1);
    out[1] = tex2DLayered<float4>(planes, 0.5f, 0.5f, 1);
    out[2] = texCubemap<float4>(cube, 0.0f, -1.0f, 0.0f);
    out[3] = texCubemapLayered<float4>(cubes, 0.0f, -1.0f, 0.0f, 1);
}

extern "C" __global__ void surfaces(cudaSurfaceObject_t plane, cudaSurfaceObject_t planes, cudaSurfaceObject_t volume, int *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    uchar4 texel = make_uchar4(x, y, x + y, 255);
    surf2Dwrite(texel, plane, x * 4, y, cudaBoundaryModeZero);
    surf2DLayeredwrite(make_short2(x, y), planes, x * 4, y, 1);
    surf3Dwrite(x + 10 * y, volume, x * 4, y, 1, cudaBoundaryModeClamp);
    __syncthreads();
    uchar4 other = surf2Dread<uchar4>(plane, x * 4, y, cudaBoundaryModeClamp);
    short2 layered = surf2DLayeredread<short2>(planes, x * 4, y, 1);
    out[y * blockDim.x + x] = other.z + 1000 * layered.y + surf3Dread<int>(volume, x * 4, y, 1, cudaBoundaryModeZero) * 100000;
}
