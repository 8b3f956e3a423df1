import { Button, Checkbox, Flex } from 'antd';
import { useState } from 'react';
import { useDictItems } from '#admin/lib/dicts.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { type Reason, reasonField } from '#admin/ui/reason-field.tsx';
import { useFormPanel } from '#admin/ui/use-form-panel.tsx';
import styles from './desk.module.css';
import { type AuditEssay, isNoLongerPending, isRevision, type useDecide } from './use-decide.ts';

type Decide = ReturnType<typeof useDecide>;

/** Displayed inline instead of in a dialog, so that the essay stays visible. */
function RejectForm({ decide, onClose }: { decide: Decide; onClose: () => void }) {
  const showError = useShowError();
  const { body, footer } = useFormPanel<Reason>({
    title: '驳回',
    open: true,
    onClose,
    action: '驳回',
    values: { reason: '' },
    fields: [
      reasonField({
        label: '驳回理由',
        help: '作者会看到这段话，可以照着修改，或申诉一次',
        dict: 'audit-reason',
        max: 500,
      }),
    ],
    submit: async ({ reason }) => {
      try {
        await decide('reject', reason);
      } catch (error) {
        // The form disappears together with the essay, so the error needs a message of its own.
        if (isNoLongerPending(error)) showError(error);
        throw error;
      }
    },
    codes: { REASON_REQUIRED: 'reason' },
  });
  return (
    <>
      {body}
      <Flex justify="end" gap={8}>
        {footer}
      </Flex>
    </>
  );
}

/**
 * A reminder that does not block the decision: not every point applies to every essay, and a mandatory list would be
 * ticked without reading.
 */
function Checklist({ points }: { points: string[] }) {
  const [checked, setChecked] = useState<string[]>([]);
  if (points.length === 0) return null;
  return (
    <fieldset className={styles.checklist}>
      <legend>
        <span>逐项核对</span>
        <span className={styles.count} role="status">
          {checked.length} / {points.length}
        </span>
      </legend>
      <Checkbox.Group className={styles.points} value={checked} onChange={setChecked} options={points} />
    </fieldset>
  );
}

export function Decision({ essay, decide }: { essay: AuditEssay; decide: Decide }) {
  const showError = useShowError();
  const points = useDictItems('audit-check');
  const [isRejecting, setRejecting] = useState(false);
  const [busy, setBusy] = useState(false);

  async function pass(): Promise<void> {
    setBusy(true);
    await decide('pass').catch(showError);
    setBusy(false);
  }

  return (
    <section className={styles.panel} aria-label="审核结论">
      {/* A new version resets the checklist. */}
      <Checklist key={essay.version} points={points} />
      {isRejecting ? (
        <RejectForm decide={decide} onClose={() => setRejecting(false)} />
      ) : (
        <>
          <div className={styles.verdicts}>
            <Button type="primary" size="large" loading={busy} onClick={() => void pass()}>
              通过
            </Button>
            <Button danger size="large" disabled={busy} onClick={() => setRejecting(true)}>
              驳回
            </Button>
          </div>
          <p className={styles.quiet}>
            {isRevision(essay)
              ? '通过后，读者马上看到修订后的内容。'
              : '通过后待上架，由作者上架，或到定好的时间自动上架。'}
          </p>
        </>
      )}
    </section>
  );
}
