"""The models of trainer/model/builtin in PyTorch, their layers in the same order."""
import torch.nn.functional as F
from torch import nn


class MnistCnn(nn.Module):
    """Keras' "Simple MNIST convnet" with a hidden dense layer: 1 199 882 parameters."""
    image = (1, 28, 28)

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 32, 3), nn.Conv2d(32, 64, 3)
        self.dense1, self.dense2 = nn.Linear(64 * 12 * 12, 128), nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv2(F.relu(self.conv1(x)))), 2)
        x = F.dropout(x, 0.25, self.training).flatten(1)
        return self.dense2(F.dropout(F.relu(self.dense1(x)), 0.5, self.training))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.pad = (outputs - inputs) // 2

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        if self.pad:
            x = F.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, self.pad, self.pad))
        return F.relu(y + x)


class ResNet20(nn.Module):
    """He et al. 2016, section 4.2, shortcuts of option A."""
    image = (3, 32, 32)

    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16)
        widths = [16] * 4 + [32] * 3 + [64] * 3
        self.blocks = nn.Sequential(*(Block(i, o, 1 if i == o else 2)
                                      for i, o in zip(widths, widths[1:])))
        self.dense = nn.Linear(64, 10)

    def forward(self, x):
        return self.dense(self.blocks(F.relu(self.bn(self.conv(x)))).mean((2, 3)))


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        def conv(i, o, kernel, stride=1):
            return [nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o)]
        self.body = nn.Sequential(*conv(inputs, width, 1), nn.ReLU(),
                                  *conv(width, width, 3, stride), nn.ReLU(),
                                  *conv(width, 4 * width, 1))
        same = inputs == 4 * width and stride == 1
        self.shortcut = nn.Sequential(*([] if same else conv(inputs, 4 * width, 1, stride)))

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


class ResNet50(nn.Module):
    """With the stem for CIFAR: a 3 × 3 convolution and no pooling."""
    image = (3, 32, 32)

    def __init__(self):
        super().__init__()
        layers, inputs = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()], 64
        for stage, (blocks, width) in enumerate(zip((3, 4, 6, 3), (64, 128, 256, 512))):
            for block in range(blocks):
                layers.append(Bottleneck(inputs, width, 2 if stage and not block else 1))
                inputs = 4 * width
        self.layers, self.dense = nn.Sequential(*layers), nn.Linear(2048, 10)

    def forward(self, x):
        return self.dense(self.layers(x).mean((2, 3)))
