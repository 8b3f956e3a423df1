import { useState } from 'react';
import { emojis } from './emoji-list.ts';
import styles from './emoji-picker.module.css';

/** A small set, found by Chinese words. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [wanted, setWanted] = useState('');
  const found = emojis.filter(([, words]) => words.includes(wanted.trim()));
  return (
    <div className={styles.picker}>
      <input
        className={styles.search}
        type="search"
        aria-label="搜索表情"
        placeholder="搜索，如：开心"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      <div className={styles.list}>
        {found.map(([emoji, words]) => (
          <button
            key={emoji}
            type="button"
            aria-label={words.split(' ')[0]}
            title={words.split(' ')[0]}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      {found.length === 0 ? <p className={styles.none}>没有找到，换个词试试</p> : null}
    </div>
  );
}
