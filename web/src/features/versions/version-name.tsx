import { errorMessageOf } from '@mozhan/client/errors.ts';
import { type FormEvent, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Input } from '#web/ui/text-box.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './version-history.module.css';

const MAX_NAME_LENGTH = 40;

interface VersionNameProps {
  id: string;
  revision: number;
  name: string | null;
  onChanged: () => Promise<unknown>;
}

/** Gives, changes or removes the name of a version. */
export function VersionName({ id, revision, name, onChanged }: VersionNameProps) {
  const api = useApi();
  const [isEditing, setEditing] = useState(false);
  const [typed, setTyped] = useState(name ?? '');
  const [isBusy, setBusy] = useState(false);

  async function save(next: string): Promise<void> {
    setBusy(true);
    try {
      await api('PUT core/essay/{id}/revision/name', { id, revision, name: next });
      await onChanged();
      setTyped(next);
      setEditing(false);
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setBusy(false);
    }
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void save(typed.trim());
  }

  if (!isEditing)
    return (
      <Button variant="ghost" size="small" onClick={() => setEditing(true)}>
        <Icon name="pen" small />
        {name === null ? '给这个版本起名' : '改名'}
      </Button>
    );
  return (
    <form className={styles.naming} onSubmit={onSubmit}>
      <Input
        aria-label="版本的名字"
        placeholder="如：送审前的定稿"
        maxLength={MAX_NAME_LENGTH}
        value={typed}
        autoFocus
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button size="small" type="submit" busy={isBusy || typed.trim() === ''}>
        保存
      </Button>
      {name === null ? null : (
        <Button size="small" variant="ghost" busy={isBusy} onClick={() => save('')}>
          移除名字
        </Button>
      )}
      <Button size="small" variant="ghost" onClick={() => setEditing(false)}>
        取消
      </Button>
    </form>
  );
}
