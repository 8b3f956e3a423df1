import { useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import { Icon } from './icon-set.tsx';
import { toast } from './toast.tsx';

/** The clipboard API is not available on plain HTTP; there the selection is copied. */
async function copy(input: HTMLInputElement): Promise<boolean> {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

const COPIED_MS = 2000;

export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);

  async function onCopy(): Promise<void> {
    if (input.current === null) return;
    if (!(await copy(input.current))) {
      toast('没能复制，请长按或用键盘复制', 'warn');
      return;
    }
    toast('已复制');
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  }

  return (
    <div className={styles.copy}>
      <label htmlFor={id}>{label}</label>
      <div>
        <input ref={input} id={id} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
        <Button onClick={onCopy}>
          <Icon name={copied ? 'check' : 'copy'} small />
          复制
        </Button>
      </div>
    </div>
  );
}
