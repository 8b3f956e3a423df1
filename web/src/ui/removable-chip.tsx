import { Chip } from './chip.tsx';
import { Icon } from './icon.tsx';
import styles from './removable-chip.module.css';

interface RemovableChipProps {
  name: string;
  onRemove: () => void;
}

export const RemovableChip = ({ name, onRemove }: RemovableChipProps) => (
  <span className={styles.removable}>
    <Chip>
      {name}
      <button type="button" aria-label={`移除 ${name}`} onClick={onRemove}>
        <Icon name="close" small />
      </button>
    </Chip>
  </span>
);
