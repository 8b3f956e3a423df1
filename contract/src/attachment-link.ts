/** A link in the text of an essay to one of its attachments, which are listed below the text. */
export const attachmentLink = (id: string): string => `#attachment-${id}`;
