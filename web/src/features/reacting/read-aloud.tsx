import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import styles from './read-aloud.module.css';
import { listSentences, type Sentence } from './sentences.ts';

const HIGHLIGHT = 'read-aloud';
const rates = [1, 1.25, 1.5, 2, 0.75];

const hasHighlights = () => 'highlights' in CSS;

/** Paints the sentence without changing the text's HTML; older browsers select it. */
function mark(range: Range | null): void {
  if (hasHighlights()) {
    if (range === null) CSS.highlights.delete(HIGHLIGHT);
    else CSS.highlights.set(HIGHLIGHT, new Highlight(range));
    return;
  }
  const selection = getSelection();
  selection?.removeAllRanges();
  if (range !== null) selection?.addRange(range);
}

function scrollTo(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect();
  if (top > innerHeight * 0.1 && bottom < innerHeight * 0.8) return;
  range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
}

/** A voice on the device needs no network and tells nobody what is read. */
function findVoice(): SpeechSynthesisVoice | null {
  const voices = speechSynthesis.getVoices().filter(({ lang }) => /^(zh|cmn)\b/i.test(lang));
  const mainland = voices.filter(({ lang }) => /CN/i.test(lang));
  return (
    [...mainland, ...voices].find(({ localService }) => localService) ?? mainland[0] ?? voices[0] ?? null
  );
}

/** The first sentence that is not above the screen. */
function findStart(sentences: Sentence[]): number {
  const at = sentences.findIndex(({ range }) => range.getBoundingClientRect().bottom > 0);
  return Math.max(at, 0);
}

/** Speaks one sentence after the other; a change of position, rate or state cancels the one before. */
function usePlayer(sentences: Sentence[]) {
  const [at, setAt] = useState(() => findStart(sentences));
  const [rate, setRate] = useState(1);
  const [isPlaying, setPlaying] = useState(true);
  const sentence = sentences[at];

  useEffect(() => {
    if (!isPlaying || sentence === undefined) return;
    const utterance = new SpeechSynthesisUtterance(sentence.text);
    utterance.lang = 'zh-CN';
    utterance.voice = findVoice();
    utterance.rate = rate;
    let isCurrent = true;
    utterance.onend = () => {
      if (!isCurrent) return;
      if (at + 1 < sentences.length) setAt(at + 1);
      else setPlaying(false);
    };
    utterance.onerror = () => isCurrent && setPlaying(false);
    mark(sentence.range);
    scrollTo(sentence.range);
    speechSynthesis.speak(utterance);
    return () => {
      isCurrent = false;
      speechSynthesis.cancel();
    };
  }, [sentences, sentence, at, rate, isPlaying]);

  useEffect(() => {
    // A page that is left would go on speaking.
    const cancel = () => speechSynthesis.cancel();
    addEventListener('pagehide', cancel);
    return () => {
      removeEventListener('pagehide', cancel);
      mark(null);
    };
  }, []);

  const step = (by: number) => setAt(Math.min(Math.max(at + by, 0), sentences.length - 1));
  return { at, rate, setRate, isPlaying, setPlaying, step };
}

/** Reads the essay aloud with the browser's voices, in a bar at the bottom. */
export function ReadAloud({ open, onOpenChange }: DialogOpenProps) {
  return open ? createPortal(<Player onClose={() => onOpenChange(false)} />, document.body) : null;
}

function Player({ onClose }: { onClose: () => void }) {
  const sentences = useMemo(() => {
    const text = document.querySelector<HTMLElement>('[data-text]');
    return text === null ? [] : listSentences(text);
  }, []);
  const { at, rate, setRate, isPlaying, setPlaying, step } = usePlayer(sentences);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => bar.current?.querySelector('button')?.focus({ preventScroll: true }), []);
  const nextRate = rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
  return (
    <section ref={bar} className={`popup no-print ${styles.player}`} aria-label="朗读">
      <IconButton label={isPlaying ? '暂停' : '继续'} onClick={() => setPlaying(!isPlaying)}>
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </IconButton>
      <IconButton label="上一句" onClick={() => step(-1)}>
        <Icon name="left" />
      </IconButton>
      <span className="ink-3 text-s numbers">
        {sentences.length === 0 ? '没有可以朗读的文字' : `第 ${at + 1} 句，共 ${sentences.length} 句`}
      </span>
      <IconButton label="下一句" onClick={() => step(1)}>
        <Icon name="right" />
      </IconButton>
      <button
        type="button"
        className={`text-s numbers ${styles.rate}`}
        aria-label={`语速 ${rate} 倍，换成 ${nextRate} 倍`}
        onClick={() => setRate(nextRate)}
      >
        {rate}×
      </button>
      <IconButton label="停止朗读" onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </section>
  );
}
