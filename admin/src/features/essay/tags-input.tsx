import { Select } from 'antd';
import { useState } from 'react';
import { useTagOptions } from './tag-filter.tsx';

/** Tags of an essay. */
export const MAX_TAGS = 5;

interface TagsInputProps {
  maxCount?: number;
  placeholder?: string;
  /** Set by the form. */
  id?: string;
  value?: string[];
  onChange?: (value: string[]) => void;
}

export function TagsInput(props: TagsInputProps) {
  const [text, setText] = useState('');
  return (
    <Select
      maxCount={MAX_TAGS}
      {...props}
      mode="tags"
      tokenSeparators={[',', '，', '、', ' ']}
      options={useTagOptions(text).map(({ value }) => ({ value, label: value }))}
      showSearch={{ onSearch: setText }}
      notFoundContent={null}
    />
  );
}
