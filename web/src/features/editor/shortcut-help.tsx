import { shortcutLabel } from '@mozhan/editor/tools.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './shortcut-help.module.css';

const rows: [keys: string, what: string][] = [
  ['Ctrl S', '立即保存，成为一个版本'],
  ['Ctrl B', '加粗'],
  ['Ctrl I', '着重号'],
  ['Ctrl K', '链接'],
  ['Ctrl E', '行内代码'],
  ['Ctrl Shift X', '删除线'],
  ['Ctrl Alt 1 / 2 / 3', '标题'],
  ['Ctrl Shift 7 / 8 / 9', '编号列表、列表、引用'],
  ['Ctrl F', '查找和替换'],
  ['F3 / Shift F3', '查找打开时：下一个、上一个'],
  ['Ctrl Z / Ctrl Y', '撤销、重做'],
  ['Ctrl Shift V', '只粘贴文字'],
  ['/', '在行首：插入菜单'],
  ['Tab', '表格里到下一格，列表里缩进；按 Esc 再按 Tab 离开正文'],
  ['Enter / Shift Enter', '表格里到下一行、在格内换行'],
  ['Alt ↑ / Alt ↓', '移动表格的一行或正文的一行'],
  ['Alt F10', '到表格或图片的工具条，Esc 回到正文'],
  ['F11', '专注模式，Esc 退出'],
];

export function ShortcutHelp({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open onOpenChange={onOpenChange} title="快捷键">
      <dl className={`stack gap-2 text-m ${styles.list}`}>
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{shortcutLabel(keys)}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
