import { MAX_CONTENT_LENGTH } from '@mozhan/contract/content-length.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { Alert } from '#web/ui/alert.tsx';

const format = (count: number): string => count.toLocaleString('zh-CN');

/** Says how many characters have to go, since the text is not saved before. */
export function LengthNotice({ editor }: { editor: EditorModel }) {
  const { characters } = useStoreValue(editor.counts);
  const excess = characters - MAX_CONTENT_LENGTH;
  if (excess <= 0) return null;
  return (
    <Alert tone="bad">
      正文有 {format(characters)} 个字符，最多 {format(MAX_CONTENT_LENGTH)} 个，超出 {format(excess)}{' '}
      个。删减之前不能保存、预览和提交；写的内容都在本机，不会丢。可以把后半部分剪下来，另存为下一篇。
    </Alert>
  );
}
