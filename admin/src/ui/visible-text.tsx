import { Fragment } from 'react';
import styles from './visible-text.module.css';

/** Invisible and bidirectional control characters, except those in emoji. */
const HIDDEN_CHARACTERS =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d(?=\p{Extended_Pictographic}))?|[0-9#*]\ufe0f\u20e3|((?:[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+)/gu;

const codeOf = (character: string) =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

/** Displays text for review and replaces invisible characters by their code points. */
export function VisibleText({ text }: { text: string }) {
  let lastEnd = 0;
  const parts = [...text.matchAll(HIDDEN_CHARACTERS)].flatMap(({ index, 1: hidden }) => {
    if (hidden === undefined) return [];
    const before = text.slice(lastEnd, index);
    lastEnd = index + hidden.length;
    return { before, codes: Array.from(hidden, codeOf).join(' '), index };
  });
  return (
    <>
      {parts.map(({ before, codes, index }) => (
        <Fragment key={index}>
          {before}
          <span className={styles.hidden} title="看不见的字符">
            {codes}
          </span>
        </Fragment>
      ))}
      {text.slice(lastEnd)}
    </>
  );
}
