import type { ReactNode } from 'react';
import type { Draft } from '#web/features/writing/draft.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './submission-hints.module.css';
import { useTextChecks } from './use-checks.ts';

/** Fields of the drawer that a hint leads to. */
export type MendableField = 'cover' | 'tags' | 'summary';

interface Hint {
  key: string;
  text: ReactNode;
  action: string;
  onMend: () => void;
}

const fieldHints: { field: MendableField; text: string; action: string }[] = [
  { field: 'tags', text: '没有标签，读者不容易从别处找到它。', action: '加标签' },
  { field: 'cover', text: '没有封面，会用标题生成一张图案。', action: '选封面' },
  { field: 'summary', text: '没有摘要，列表里显示正文的开头。', action: '写摘要' },
];

const MAX_LISTED_LINKS = 5;

interface SubmissionHintsProps {
  editor: EditorModel;
  draft: Draft;
  onField: (field: MendableField) => void;
  onText: (position: number) => void;
}

/** What could be better before the essay is submitted. None of it prevents the submission. */
export function SubmissionHints({ editor, draft, onField, onText }: SubmissionHintsProps) {
  const { picturesWithoutText, deadLinks, isChecking } = useTextChecks(editor);
  const [firstPicture] = picturesWithoutText;
  const hints: Hint[] = [
    ...deadLinks.slice(0, MAX_LISTED_LINKS).map(({ url, from, reason }) => ({
      key: url,
      text: (
        <>
          链接打不开：<span className={styles.url}>{url}</span>（{reason}）
        </>
      ),
      action: '去修改',
      onMend: () => onText(from),
    })),
    ...(deadLinks.length > MAX_LISTED_LINKS
      ? [
          {
            key: 'more-links',
            text: `另有 ${deadLinks.length - MAX_LISTED_LINKS} 个链接打不开。`,
            action: '去修改',
            onMend: () => onText(deadLinks[MAX_LISTED_LINKS]?.from ?? 0),
          },
        ]
      : []),
    ...(firstPicture === undefined
      ? []
      : [
          {
            key: 'pictures',
            text: `${picturesWithoutText.length} 张图片没有说明文字，看不见图的读者不知道画的是什么。`,
            action: '去补上',
            onMend: () => onText(firstPicture),
          },
        ]),
    ...fieldHints
      .filter(({ field }) => draft[field].length === 0)
      .map(({ field, text, action }) => ({ key: field, text, action, onMend: () => onField(field) })),
  ];
  return (
    <section className="stack gap-2" aria-labelledby="submission-hints">
      <h3 id="submission-hints" className="text-m bold">
        提交之前
      </h3>
      {hints.length === 0 && !isChecking ? (
        <p className={`row gap-2 text-s ${styles.fine}`}>
          <Icon name="check" small />
          封面、标签、摘要、图片说明和链接都看过了，没有要补的。
        </p>
      ) : null}
      {hints.length > 0 ? (
        <ul className={styles.hints}>
          {hints.map(({ key, text, action, onMend }) => (
            <li key={key}>
              <Icon name="info" small />
              <span className="grow">{text}</span>
              <Button size="small" variant="ghost" onClick={onMend}>
                {action}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="ink-3 text-s" role="status">
        {isChecking ? '正在检查正文里的链接…' : hints.length > 0 ? '只是建议，不改也可以提交。' : ''}
      </p>
    </section>
  );
}
