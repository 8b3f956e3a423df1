import type { Ref } from 'react';

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  accept?: string;
  multiple?: boolean;
  onFiles: (files: File[]) => unknown;
}

/** Chooses files; another control presses it. */
export const FileInput = ({ label, onFiles, ...rest }: FileInputProps) => (
  <input
    {...rest}
    type="file"
    hidden
    aria-label={label}
    onChange={({ currentTarget }) => {
      void onFiles([...(currentTarget.files ?? [])]);
      // The same file again is to count as another choice.
      currentTarget.value = '';
    }}
  />
);
