import { setPassagesShown, usePassagesShown } from '#web/lib/shown-passages.ts';
import {
  setHighContrast,
  setTextSize,
  setTheme,
  type TextSize,
  type Theme,
  useTheme,
} from '#web/lib/theme.ts';
import { ChoiceGroup, SwitchField } from '#web/ui/field.tsx';
import styles from './settings.module.css';

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: '跟随系统' },
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
];

const sizes: readonly { value: TextSize; label: string }[] = [
  { value: 's', label: '小' },
  { value: 'm', label: '标准' },
  { value: 'l', label: '大' },
  { value: 'xl', label: '特大' },
];

/** Stored in this browser, not in the account, because each device may need other settings. */
export function AppearancePanel() {
  const { theme, highContrast, textSize } = useTheme();
  const isShown = usePassagesShown();
  return (
    <div className={styles.form}>
      <ChoiceGroup
        name="theme"
        legend="外观"
        options={themes}
        value={theme}
        onChange={(value) => setTheme(value as Theme)}
      />
      <ChoiceGroup
        name="reading"
        legend="正文字号"
        options={sizes}
        value={textSize}
        onChange={(value) => setTextSize(value as TextSize)}
      />
      <figure className={`card ${styles.sample}`}>
        <figcaption>正文会是这个样子</figcaption>
        <p>
          夜里三点，告警响了。屏幕上只有一行日志，像一封没有署名的信。你顺着它往回读，读到昨天的提交，读到上个月的决定，才明白错不在最后一行。写下来，是为了下一个被叫醒的人。
        </p>
      </figure>
      <SwitchField
        name="passages"
        label="大家划过的句子"
        description="在文章里用虚线标出多人划过、有公开想法的句子。"
        checked={isShown}
        onChange={(event) => setPassagesShown(event.currentTarget.checked)}
      />
      <SwitchField
        name="weak"
        label="色弱模式"
        description="不单靠颜色来区分状态，并加强对比。"
        checked={highContrast}
        onChange={(event) => setHighContrast(event.currentTarget.checked)}
      />
    </div>
  );
}
