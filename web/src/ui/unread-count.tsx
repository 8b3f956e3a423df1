interface UnreadCountProps {
  className: string | undefined;
  count: number;
  /** What is counted. */
  unit?: string;
}

/** How much is new; nothing when there is nothing. */
export const UnreadCount = ({ className, count, unit = '条' }: UnreadCountProps) =>
  count === 0 ? null : (
    <span className={className}>
      {count > 99 ? '99+' : count}
      <span className="sr"> {unit}未读</span>
    </span>
  );
