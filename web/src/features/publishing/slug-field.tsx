import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useState } from 'react';
import type { EssayModel } from '#web/features/writing/essay-model.ts';
import { useApp } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import styles from './publish-drawer.module.css';

/** Writes what authors usually type, such as a title in English, as a slug. */
const toSlug = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');

/** The slug being edited. It is saved as a whole, because each saved slug of a published essay keeps working. */
export function useSlug(essay: EssayModel) {
  const current = useStoreValue(essay.statusInfo).slug ?? '';
  const [typed, setTyped] = useState(current);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const slug = toSlug(typed);

  return {
    typed,
    slug,
    error,
    isBusy,
    isChanged: slug !== current,
    onType(text: string): void {
      setTyped(text);
      setError('');
    },
    /** Returns false when the slug was refused. */
    async save(): Promise<boolean> {
      if (slug === current) return true;
      setBusy(true);
      try {
        if (!(await essay.saveSlug(slug === '' ? null : slug))) {
          setError('还没有保存到服务器，请稍后再试');
          return false;
        }
        setTyped(slug);
        return true;
      } catch (thrown) {
        setError(asCallError(thrown)?.fields?.slug ?? errorMessageOf(thrown));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

interface SlugFieldProps {
  state: ReturnType<typeof useSlug>;
  isPublic: boolean;
}

export function SlugField({ state, isPublic }: SlugFieldProps) {
  const { siteUrl } = useApp();
  const { typed, slug, error, isBusy, isChanged, onType, save } = state;
  const [isOpen, setOpen] = useState(slug !== '');
  // A refused slug must be visible.
  const isShown = isOpen || error !== '';
  return (
    <div className="stack gap-1-5">
      <div>
        <Button variant="ghost" size="small" aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
          自定义网址
        </Button>
      </div>
      {isShown ? (
        <>
          <Field
            name="slug"
            label="网址里代替编号的文字"
            maxLength={80}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            placeholder="如 my-first-essay"
            value={typed}
            error={error}
            hint={
              isPublic
                ? '小写字母、数字、汉字和短横线。改动立即生效，旧的网址会跳到新的。'
                : '小写字母、数字、汉字和短横线；空着则用编号。'
            }
            onChange={({ target }) => onType(target.value)}
          />
          <p className={styles.address}>
            {siteUrl || location.origin}/essay/detail/<b>{slug === '' ? '编号' : slug}</b>.html
          </p>
          {isChanged ? (
            <div>
              <Button size="small" busy={isBusy} onClick={save}>
                {slug === '' ? '改回编号' : '使用这个网址'}
              </Button>
            </div>
          ) : null}
        </>
      ) : null}
    </div>
  );
}
