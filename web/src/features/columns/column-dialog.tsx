import type { Column } from '@mozhan/contract/columns.ts';
import { isReadPrice, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Cover } from '#web/ui/cover.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field, FieldError, TextArea } from '#web/ui/field.tsx';
import { ImageUpload } from '#web/ui/image-upload.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';

const COVER_SHAPES = [{ label: '3:2', aspect: 3 / 2 }];

/** Fen of the typed price; 0 for a column that is not sold, null for a wrong price. */
function readPrice(text: string): number | null {
  const fen = text.trim() === '' ? 0 : parseYuan(text);
  return fen === null || fen === 0 || isReadPrice(fen) ? fen : null;
}

interface ColumnFormProps {
  /** Null for a new column. */
  column: Column | null;
  onDone: (column: Column) => void;
  onCancel: () => void;
}

function ColumnForm({ column, onDone, onCancel }: ColumnFormProps) {
  const api = useApi();
  const [cover, setCover] = useState(column?.cover ?? '');
  const [isSending, setSending] = useState(false);
  const form = useForm({
    names: ['name', 'summary', 'cover', 'price'],
    initial: column && {
      name: column.name,
      summary: column.summary,
      price: column.price === 0 ? '' : toYuan(column.price).replace(/\.00$/, ''),
    },
    check: ({ name, price }) => ({
      ...(name.trim() === '' && { name: '请填写名称' }),
      ...(isSending && { cover: '封面还在上传，请稍等' }),
      ...(readPrice(price) === null && { price: '价格从 1 元到 1000 元，或留空' }),
    }),
    submit: async ({ name, summary, price }) => {
      const fields = {
        name,
        summary,
        price: readPrice(price) ?? 0,
        // An editor may have set a picture that is not the author's.
        ...(cover !== (column?.cover ?? '') && { cover }),
      };
      onDone(
        column === null
          ? await api('POST core/essay/column', fields)
          : await api('PUT core/essay/column', { id: column.id, ...fields }),
      );
    },
  });
  return (
    <DialogForm form={form} action={column === null ? '新建' : '保存'} onCancel={onCancel}>
      <Field {...form.field('name')} label="名称" maxLength={40} autoComplete="off" />
      <TextArea {...form.field('summary')} label="简介" maxLength={200} />
      <div className="stack gap-1-5">
        <ImageUpload
          label="封面"
          value={cover}
          onChange={setCover}
          crop={COVER_SHAPES}
          placeholder={<Cover title={column?.name ?? ''} image="" />}
          hint="不上传时，用名称生成一张图案。"
          onSending={() => {
            setSending(true);
            return () => setSending(false);
          }}
        />
        <FieldError error={form.errors.cover} role="alert" />
      </div>
      <Field
        {...form.field('price')}
        label="整个专栏的价格（元）"
        inputMode="decimal"
        autoComplete="off"
        placeholder="不单独出售"
        hint="买下的读者能读里面的全部文章，包括以后加入的。改价只影响以后的购买。"
      />
    </DialogForm>
  );
}

type ColumnDialogProps = Omit<ColumnFormProps, 'onCancel'> & DialogOpenProps;

export const ColumnDialog = ({ open, onOpenChange, ...form }: ColumnDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={form.column === null ? '新建专栏' : '编辑专栏'}>
    <ColumnForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
