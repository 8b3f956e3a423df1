import type { PictureFields } from '@mozhan/editor/pictures.ts';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';

interface PictureDialogProps {
  picture: PictureFields;
  onSave: (fields: Pick<PictureFields, 'alt' | 'caption'>) => void;
  onClose: () => void;
}

const MAX_LENGTH = 200;

/** The texts of a picture: for those who cannot see it, and below it for everyone. */
export function PictureDialog({ picture, onSave, onClose }: PictureDialogProps) {
  const id = useId();
  const [open, setOpen] = useState(true);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onSave({ alt: String(data.get('alt') ?? ''), caption: String(data.get('caption') ?? '') });
    setOpen(false);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      onClosed={onClose}
      title="图片的文字"
      footer={
        <>
          <Button onClick={() => setOpen(false)}>取消</Button>
          <Button variant="primary" type="submit" form={id}>
            保存
          </Button>
        </>
      }
    >
      <form id={id} className="stack gap-4" onSubmit={onSubmit}>
        <Field
          name="alt"
          label="替代文字"
          hint="图片里有什么。读屏软件会读出来，图片打不开时也显示它。"
          defaultValue={picture.alt}
          maxLength={MAX_LENGTH}
          autoComplete="off"
        />
        <Field
          name="caption"
          label="图片说明"
          hint="显示在图片下面，图片单独成段时才有。不需要就留空。"
          defaultValue={picture.caption}
          maxLength={MAX_LENGTH}
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}
