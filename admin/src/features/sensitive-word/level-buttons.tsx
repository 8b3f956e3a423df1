import type { Word, WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { Button, Dropdown } from 'antd';
import { useBatch } from '#admin/lib/batch.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { levels } from './levels.ts';

interface LevelButtonsProps {
  rows: Word[];
  selectRows: (left?: Word[]) => void;
}

export function LevelButtons({ rows, selectRows }: LevelButtonsProps) {
  const batch = useBatch();
  const change = async (level: WordLevel) =>
    selectRows(
      await batch({
        verb: `改为${levels[level].label}`,
        rows: rows.filter((row) => row.level !== level),
        nameOf: (row) => row.word,
        work: (api, { id }) => api('PUT core/sys/word/', { id, level }),
      }),
    );
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: optionsOf(levels).map(({ value, label }) => ({ key: value, label })),
        onClick: ({ key }) => void change(key as WordLevel),
      }}
    >
      <Button size="small">改级别</Button>
    </Dropdown>
  );
}
