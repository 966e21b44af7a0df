// Each channel's numbers convolved with its own four weights, plus a bias, through x / (1 + e^-x);
// a channel's numbers lie together on the way in, a token's on the way out.
extern "C" __global__ void channel_conv_silu(const float* x, const float* weights,
                                             const float* bias, float* y, int channels,
                                             int tokens) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y;
  if (channel >= channels) return;
  double sum = bias[channel];
  for (int i = 0; i < 4; ++i)
    sum += double(x[(size_t(blockIdx.z) * channels + channel) * (tokens + 3) + token + i]) *
           weights[channel * 4 + i];
  y[(size_t(blockIdx.z) * tokens + token) * channels + channel] = float(sum / (1 + exp(-sum)));
}
