"""Reports the progress of Lightning: Trainer(…, callbacks=[ModelCheckpoint(…), Progress()])"""
import os

from lightning.pytorch.callbacks import Callback

from progress import report


class Progress(Callback):
    saved = ""

    def look(self, trainer):
        """Reports a new checkpoint. Lightning calls ModelCheckpoint last, so a checkpoint is
        reported at the next batch."""
        saver = trainer.checkpoint_callback
        path = (saver.last_model_path or saver.best_model_path) if saver else ""
        if path != self.saved:
            report("checkpoint-written", step=trainer.global_step, path=os.path.abspath(path))
        self.saved = path

    def on_train_start(self, trainer, pl_module):
        total = trainer.estimated_stepping_batches  # infinite if nothing limits training
        report("start", step=trainer.global_step, total_steps=int(total) if total < 1e9 else 0)

    def on_train_batch_start(self, trainer, pl_module, batch, batch_idx):
        self.look(trainer)

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        report("step", step=trainer.global_step)

    def on_fit_end(self, trainer, pl_module):
        self.look(trainer)
        report("finished", step=trainer.global_step)
