import { asCallError } from '@mozhan/client/errors.ts';
import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { App, Button, Form } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { changedFields } from '#admin/lib/changed-fields.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { FormField, SCROLL_TO_ERROR } from '#admin/ui/fields.tsx';
import formStyles from '#admin/ui/settings-form.module.css';
import { groupsOf, type SettingField, valueText } from './groups.tsx';
import { Preview } from './preview.tsx';
import styles from './setting-form.module.css';

type Name = keyof SiteSettings;

interface DefaultNoteProps {
  field: SettingField;
  value: SiteSettings[Name];
  onRestore: (() => void) | undefined;
}

/** Displays whether a field has its default value, with a button that restores it. */
function DefaultNote({ field, value, onRestore }: DefaultNoteProps) {
  const defaultValue = defaultSettings[field.name];
  if (value === defaultValue)
    return <span className={styles.note}>{field.help ? `${field.help} · 默认值` : '默认值'}</span>;
  return (
    <span className={styles.note}>
      {field.help ? `${field.help} · ` : ''}默认是「{valueText(field.name, defaultValue)}」
      {onRestore === undefined ? null : (
        <>
          {' '}
          <Button
            type="link"
            size="small"
            className={styles.restore}
            onClick={onRestore}
            aria-label={`恢复默认：${field.label}`}
          >
            恢复默认
          </Button>
        </>
      )}
    </span>
  );
}

/** All site settings; sends only changed fields. */
export function SettingForm({ stored }: { stored: SiteSettings }) {
  const { api, setAppearance } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const mayUpdate = useCan()('setting:update');
  const [form] = Form.useForm<SiteSettings>();
  const [busy, setBusy] = useState(false);
  const [previewed, setPreviewed] = useState<string>();

  // A refetch during editing contains somebody else's changes, so changes are computed from the first value.
  const [base, setBase] = useState(stored);

  const current: SiteSettings = { ...base, ...Form.useWatch([], form) };
  const changes = changedFields(base, current);
  const count = Object.keys(changes).length;
  useUnsavedGuard(
    () => count > 0,
    () => confirm(DISCARD_CHANGES),
  );

  /** Displays server errors at their fields. */
  async function send(work: (changedSettings: Partial<SiteSettings>) => Promise<void>): Promise<void> {
    setBusy(true);
    try {
      await work(changes);
    } catch (error) {
      const wrong = Object.entries(asCallError(error)?.fields ?? {});
      if (wrong.length === 0) showError(error);
      form.setFields(wrong.map(([name, text]) => ({ name: name as Name, errors: [text] })));
    } finally {
      setBusy(false);
    }
  }

  const save = () =>
    send(async (changedSettings) => {
      const saved = await api('PUT core/sys/setting/', changedSettings);
      form.setFieldsValue(saved);
      setBase(saved);
      setAppearance(saved);
      message.success('已保存');
      await refresh();
    });

  async function preview(): Promise<void> {
    const isRight = await form.validateFields().then(
      () => true,
      () => false,
    );
    if (!isRight) return;
    await send(async (changedSettings) =>
      setPreviewed((await api('POST core/sys/setting/preview', changedSettings)).url),
    );
  }

  return (
    <>
      <Form<SiteSettings>
        form={form}
        layout="vertical"
        className={formStyles.form}
        initialValues={base}
        disabled={busy || !mayUpdate}
        requiredMark={false}
        scrollToFirstError={SCROLL_TO_ERROR}
        onFinish={() => void save()}
      >
        {groupsOf(busy || !mayUpdate).map(({ title, fields }) => (
          <section key={title} className={formStyles.group} aria-label={title}>
            <h2>{title}</h2>
            <div className={formStyles.fields}>
              {fields.map((field) => (
                <FormField
                  key={field.name}
                  field={{
                    ...field,
                    help: (
                      <DefaultNote
                        field={field}
                        value={current[field.name]}
                        onRestore={
                          mayUpdate
                            ? () => form.setFieldValue(field.name, defaultSettings[field.name])
                            : undefined
                        }
                      />
                    ),
                  }}
                />
              ))}
            </div>
          </section>
        ))}
        {mayUpdate ? (
          <div className={formStyles.bar}>
            <span role="status">{count === 0 ? '没有改动' : `${count} 项改动没有保存`}</span>
            <Button disabled={count === 0 || busy} onClick={() => form.resetFields()}>
              撤销改动
            </Button>
            <Button onClick={() => void preview()}>预览</Button>
            <Button type="primary" htmlType="submit" disabled={count === 0} loading={busy}>
              保存
            </Button>
          </div>
        ) : null}
      </Form>
      <Preview url={previewed} onClose={() => setPreviewed(undefined)} />
    </>
  );
}
