import type { Output } from '@mozhan/contract/client.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Alert, Drawer, Flex, Input, Switch } from 'antd';
import { useId, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { errorMessage } from '#admin/lib/error-message.ts';
import { useDebounced } from '#admin/lib/use-debounced.ts';
import { LabelTag } from '#admin/ui/labels.tsx';
import { levels } from './levels.ts';
import { splitByHits } from './text-pieces.ts';
import styles from './word.module.css';

const WIDTH = 560;
const MAX_TEXT_LENGTH = 20_000;

type TestResult = Output<'POST core/sys/word/test'>;

function Result({ text, result: { level, hits, masked } }: { text: string; result: TestResult }) {
  if (level === null) return <Alert type="success" showIcon title="没有敏感词，照常发布" />;
  const words = [...new Map(hits.map((hit) => [hit.word, hit.level]))];
  return (
    <>
      <Alert
        type={level === 'refuse' ? 'error' : 'warning'}
        showIcon
        title={`${levels[level].label}：${levels[level].effect}`}
      />
      <ul className={styles.found} aria-label="找到的敏感词">
        {words.map(([word, own]) => (
          <li key={word}>
            <LabelTag of={levels} value={own} />
            {word}
          </li>
        ))}
      </ul>
      <h3 className={styles.heading}>标出的文字</h3>
      <p className={styles.text}>
        {splitByHits(text, hits).map((piece) =>
          piece.level === null ? (
            piece.text
          ) : (
            <mark key={piece.start} data-level={piece.level} title={levels[piece.level].label}>
              {piece.text}
            </mark>
          ),
        )}
      </p>
      {masked === text ? null : (
        <>
          <h3 className={styles.heading}>打码之后</h3>
          <p className={styles.text}>{masked}</p>
        </>
      )}
    </>
  );
}

interface TestDrawerProps {
  open: boolean;
  onClose: () => void;
}

export function TestDrawer({ open, onClose }: TestDrawerProps) {
  const { api } = useApp();
  const id = useId();
  const [text, setText] = useState('');
  const [isMarkdown, setMarkdown] = useState(true);
  const testedText = useDebounced(text, 300);
  const { data, error } = useQuery({
    queryKey: ['word-test', testedText, isMarkdown],
    queryFn: async ({ signal }) => ({
      testedText,
      result: await api('POST core/sys/word/test', { text: testedText, isMarkdown }, { signal }),
    }),
    enabled: open && testedText.trim() !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <Drawer
      title="测试敏感词"
      open={open}
      onClose={onClose}
      size={Math.min(WIDTH, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
    >
      <Flex vertical gap={8}>
        <label htmlFor={id}>要测试的文字</label>
        <Input.TextArea
          id={id}
          rows={8}
          maxLength={MAX_TEXT_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Flex gap={8} align="center">
          <Switch
            size="small"
            checked={isMarkdown}
            onChange={setMarkdown}
            aria-label="按 Markdown 处理，代码不算"
          />
          按 Markdown 处理，代码不算
        </Flex>
        <div className={styles.result} role="status">
          {error === null || testedText.trim() === '' ? null : (
            <Alert type="error" showIcon title={errorMessage(error)} />
          )}
          {data === undefined || error !== null || testedText.trim() === '' ? null : (
            <Result text={data.testedText} result={data.result} />
          )}
        </div>
      </Flex>
    </Drawer>
  );
}
