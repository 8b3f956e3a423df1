import type { Ref } from 'react';

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  accept?: string;
  multiple?: boolean;
  /** Opens the camera on phones. */
  capture?: 'environment';
  onFiles: (files: File[]) => unknown;
}

/** Hidden file input, opened by another control. */
export const FileInput = ({ label, onFiles, ...rest }: FileInputProps) => (
  <input
    {...rest}
    type="file"
    hidden
    aria-label={label}
    onChange={({ currentTarget }) => {
      void onFiles([...(currentTarget.files ?? [])]);
      // Reset, so that choosing the same file again fires a change event.
      currentTarget.value = '';
    }}
  />
);
