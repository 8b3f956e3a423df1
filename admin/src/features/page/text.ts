/** Title and text as one, to be compared. */
export const asText = ({ title, content }: { title: string; content: string }): string =>
  `# ${title}\n\n${content}`;
