import { toast } from './toast.tsx';

/** Browsers give no clipboard to a site on plain HTTP; a selection still can be copied there. */
function copySelected(text: string): boolean {
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  area.setAttribute('aria-hidden', 'true');
  area.className = 'sr';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

/** False, and said so, where the browser allows neither way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (copySelected(text)) return true;
    toast('没能复制，请手动选中后复制', 'warn');
    return false;
  }
}

/** For a text that has yet to be asked for: some browsers allow copying only at the very moment of the press. */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((words) => new Blob([words], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return copyText(await text);
  }
}
