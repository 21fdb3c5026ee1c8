"""Reports the progress of Keras. Use it in this order:

model.fit(…, callbacks=[ModelCheckpoint(path, …), Progress(path)])
"""
import glob
import os

from tensorflow import keras

from progress import report


class Progress(keras.callbacks.Callback):
    step = 0
    began = False

    def __init__(self, path):  # may contain fields such as {epoch:02d}
        super().__init__()
        self.files = path.split("{")[0] + ("*" if "{" in path else "")
        self.saved = self.newest()

    def newest(self):
        return max(((os.stat(f).st_mtime_ns, f) for f in glob.glob(self.files)), default=(0, ""))

    def on_epoch_begin(self, epoch, logs=None):  # counts from 0, or from fit's initial_epoch
        steps = self.params.get("steps")  # steps of an epoch; None if not yet known
        if not self.began:
            self.began, self.step = True, epoch * (steps or 0)
            report("start", step=self.step, total_steps=(steps or 0) * self.params["epochs"])

    def on_train_batch_end(self, batch, logs=None):
        self.step += 1
        report("step", step=self.step)

    def on_epoch_end(self, epoch, logs=None):
        last, self.saved = self.saved, self.newest()
        if self.saved != last:
            report("checkpoint-written", step=self.step, path=os.path.abspath(self.saved[1]))

    def on_train_end(self, logs=None):
        report("finished", step=self.step)
