import { toast } from './toast.tsx';

/** The clipboard API is not available on plain HTTP; there a selection is copied. */
function copyBySelection(text: string): boolean {
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

/** Returns false and shows a toast if the browser allows neither method. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (copyBySelection(text)) return true;
    toast('没能复制，请手动选中后复制', 'warn');
    return false;
  }
}

/** Copies a text that is still loading, because some browsers allow copying only during the click event. */
export async function copyWhenReady(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((resolved) => new Blob([resolved], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return copyText(await text);
  }
}
