import { type HighlightColor, highlightColors } from '@mozhan/contract/highlight-colors.ts';
import { colorNames } from './highlight-calls.ts';
import styles from './highlights.module.css';

interface ColorDotsProps {
  selected?: HighlightColor | undefined;
  isBusy: boolean;
  onPick: (color: HighlightColor) => void;
}

export const ColorDots = ({ selected, isBusy, onPick }: ColorDotsProps) => (
  <div className={styles.dots}>
    {highlightColors.map((color) => (
      <button
        key={color}
        type="button"
        className={styles.dot}
        data-color={color}
        aria-label={`划线，${colorNames[color]}`}
        title={`划线，${colorNames[color]}`}
        aria-pressed={selected === undefined ? undefined : selected === color}
        disabled={isBusy}
        onClick={() => onPick(color)}
      />
    ))}
  </div>
);
