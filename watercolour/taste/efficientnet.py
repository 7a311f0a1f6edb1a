"""EfficientNet-Lite0 in plain torch: a picture in, what its last layers saw out.

Tan and Le, "EfficientNet" (2019), in the Lite variant: no squeeze-and-excitation, ReLU6 for swish, a stem and a head
that do not scale. The names of the layers are those of the published weights, which are loaded strictly.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

INPUT_PX = 224
FEATURES = 1280
BATCH_NORM_EPS = 1e-3
"""TensorFlow's value, with which the weights were trained; torch's default is 1e-5."""

STAGES = (
    # blocks, kernel, stride, expansion, channels in, channels out
    (1, 3, 1, 1, 32, 16),
    (2, 3, 2, 6, 16, 24),
    (2, 5, 2, 6, 24, 40),
    (3, 3, 2, 6, 40, 80),
    (3, 5, 1, 6, 80, 112),
    (4, 5, 2, 6, 112, 192),
    (1, 3, 1, 6, 192, 320),
)


class SameConv(nn.Conv2d):
    """A convolution padded as TensorFlow's "SAME": the odd pixel goes to the right and to the bottom."""

    def forward(self, x: Tensor) -> Tensor:
        """(n, channels, height, width) to the same with height and width divided by the stride, rounded up."""
        kernel, stride = self.kernel_size[0], self.stride[0]
        down, across = (max(0, (-(-side // stride) - 1) * stride + kernel - side) for side in x.shape[-2:])
        if down or across:
            x = functional.pad(x, (across // 2, across - across // 2, down // 2, down - down // 2))
        out: Tensor = functional.conv2d(x, self.weight, self.bias, self.stride, 0, 1, self.groups)
        return out


class Block(nn.Module):
    """Widen by 1 x 1, look around channel by channel, narrow by 1 x 1; added to its input where the shapes agree."""

    def __init__(self, kernel: int, stride: int, expansion: int, inner: int, outer: int) -> None:
        super().__init__()
        wide = inner * expansion
        self.adds = stride == 1 and inner == outer
        if expansion > 1:
            self._expand_conv = SameConv(inner, wide, 1, bias=False)
            self._bn0 = _norm(wide)
        self._depthwise_conv = SameConv(wide, wide, kernel, stride, groups=wide, bias=False)
        self._bn1 = _norm(wide)
        self._project_conv = SameConv(wide, outer, 1, bias=False)
        self._bn2 = _norm(outer)

    def forward(self, x: Tensor) -> Tensor:
        """(n, inner, h, w) to (n, outer, h / stride, w / stride)."""
        y = x
        if hasattr(self, "_expand_conv"):
            y = functional.relu6(self._bn0(self._expand_conv(y)))
        y = functional.relu6(self._bn1(self._depthwise_conv(y)))
        y = self._bn2(self._project_conv(y))
        out: Tensor = x + y if self.adds else y
        return out


class EfficientNetLite0(nn.Module):
    """The network up to its pooled features. The classifier `_fc` is kept only so that the weights load strictly."""

    def __init__(self) -> None:
        super().__init__()
        self._conv_stem = SameConv(3, 32, 3, 2, bias=False)
        self._bn0 = _norm(32)
        self._blocks = nn.ModuleList(
            Block(kernel, stride if first else 1, expansion, inner if first else outer, outer)
            for blocks, kernel, stride, expansion, inner, outer in STAGES
            for first in [True] + [False] * (blocks - 1)
        )
        self._conv_head = SameConv(320, FEATURES, 1, bias=False)
        self._bn1 = _norm(FEATURES)
        self._fc = nn.Linear(FEATURES, 1000)

    def forward(self, x: Tensor) -> Tensor:
        """(n, 3, 224, 224), pixels as (value - 127) / 128, to (n, 1280): the mean over the last 7 x 7 places."""
        x = functional.relu6(self._bn0(self._conv_stem(x)))
        for block in self._blocks:
            x = block(x)
        places: Tensor = functional.relu6(self._bn1(self._conv_head(x)))
        return places.mean((2, 3))


def _norm(channels: int) -> nn.BatchNorm2d:
    return nn.BatchNorm2d(channels, eps=BATCH_NORM_EPS)
