import { CheckCircleOutlined, CloseCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons';
import type { HealthState } from '@mozhan/contract/health.ts';
import { Tag } from 'antd';
import { stateLabels } from '#admin/lib/health-labels.ts';

const tags: Record<HealthState, { color: string; icon: React.ReactNode }> = {
  ok: { color: 'success', icon: <CheckCircleOutlined aria-hidden /> },
  warn: { color: 'warning', icon: <ExclamationCircleOutlined aria-hidden /> },
  bad: { color: 'error', icon: <CloseCircleOutlined aria-hidden /> },
};

export const StateTag = ({ state }: { state: HealthState }) => (
  <Tag {...tags[state]}>{stateLabels[state]}</Tag>
);
