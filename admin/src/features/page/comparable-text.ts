/** Joins title and text for comparison. */
export const toComparableText = ({ title, content }: { title: string; content: string }): string =>
  `# ${title}\n\n${content}`;
