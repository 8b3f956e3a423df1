import { useState } from 'react';
import { emojis } from './emoji-list.ts';
import styles from './emoji-picker.module.css';

export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [keyword, setKeyword] = useState('');
  const found = emojis.filter(([, keywords]) => keywords.includes(keyword.trim()));
  return (
    <div className={styles.picker}>
      <input
        className={styles.search}
        type="search"
        aria-label="搜索表情"
        placeholder="搜索，如：开心"
        value={keyword}
        onChange={({ target }) => setKeyword(target.value)}
      />
      <div className={styles.list}>
        {found.map(([emoji, keywords]) => (
          <button
            key={emoji}
            type="button"
            aria-label={keywords.split(' ')[0]}
            title={keywords.split(' ')[0]}
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
