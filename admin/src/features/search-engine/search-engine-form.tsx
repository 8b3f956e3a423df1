import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { asCallError } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import type { SearchEngines } from '@mozhan/contract/search-engines.ts';
import { Alert, App, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { type Field, FormField } from '#admin/ui/fields.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './search-engine.module.css';

const MAX_FILES = 10;
const MAX_ROBOTS = 5000;

const engines: { name: keyof SearchEngines; label: string; tag: string }[] = [
  { name: 'baidu', label: '百度', tag: 'baidu-site-verification' },
  { name: 'google', label: 'Google', tag: 'google-site-verification' },
  { name: 'bing', label: '必应', tag: 'msvalidate.01' },
  { name: 'so360', label: '360 搜索', tag: '360-site-verification' },
  { name: 'sogou', label: '搜狗', tag: 'sogou_site_verification' },
];

const codeFields: Field<SearchEngines>[] = engines.map(({ name, label, tag }) => ({
  name,
  kind: 'text',
  label,
  maxLength: 300,
  help: `标签 ${tag} 的内容，也可以粘贴整个标签`,
}));

type Stored = Output<'GET core/sys/search-engine/'>;

export function SearchEngineForm({ stored: { robotsText, ...stored } }: { stored: Stored }) {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const mayUpdate = useCan()('search-engine:update');
  const [form] = Form.useForm<SearchEngines>();
  const [isBusy, setBusy] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [preview, setPreview] = useState(robotsText);
  const isClosed = Form.useWatch('closed', form) ?? stored.closed;
  useUnsavedGuard(
    () => isChanged,
    () => confirm(DISCARD_CHANGES),
  );

  /** Displays server errors at their fields. */
  async function send(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const wrong = Object.entries(asCallError(error)?.fields ?? {});
      if (wrong.length === 0) showError(error);
      for (const [name, text] of wrong) {
        // Fields of files are named `files.0.name`.
        const path = name.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
        form.setFields([{ name: path as never, errors: [text] }]);
      }
    } finally {
      setBusy(false);
    }
  }

  const save = (values: SearchEngines) =>
    send(async () => {
      const { robotsText: saved, ...settings } = await api('PUT core/sys/search-engine/', {
        ...values,
        files: values.files ?? [],
      });
      form.setFieldsValue(settings);
      setPreview(saved);
      setChanged(false);
      message.success('已保存');
      await refresh();
    });

  const showPreview = () =>
    send(async () => {
      const { closed, robots } = form.getFieldsValue(true) as SearchEngines;
      setPreview((await api('POST core/sys/search-engine/preview', { closed, robots })).robotsText);
    });

  return (
    <Form<SearchEngines>
      form={form}
      layout="vertical"
      className={styles.form}
      initialValues={stored}
      disabled={isBusy || !mayUpdate}
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onValuesChange={() => setChanged(true)}
      onFinish={(values) => void save(values)}
    >
      <Card>
        <section aria-label="验证标签">
          <h2>验证标签</h2>
          <p className={styles.intro}>
            在搜索引擎的站长平台添加网站，选「HTML 标签」验证；标签会出现在首页。
          </p>
          <div className={styles.codes}>
            {codeFields.map((field) => (
              <FormField key={field.name} field={field} />
            ))}
          </div>
        </section>
      </Card>
      <Card>
        <section aria-label="验证文件">
          <h2>验证文件</h2>
          <p className={styles.intro}>
            有的平台要求在网站根目录放一个文件，如 baidu_verify_….html、BingSiteAuth.xml。
          </p>
          <Form.List name="files">
            {(items, { add, remove }) => (
              <>
                {items.map(({ key, name }) => (
                  <div key={key} className={styles.file}>
                    <Form.Item
                      name={[name, 'name']}
                      label="文件名"
                      rules={[{ required: true, message: '请填写文件名' }]}
                    >
                      <Input maxLength={90} placeholder="baidu_verify_code.html" autoComplete="off" />
                    </Form.Item>
                    <Form.Item
                      name={[name, 'content']}
                      label="内容"
                      rules={[{ required: true, message: '请填写文件的内容' }]}
                    >
                      <Input.TextArea rows={2} maxLength={2000} />
                    </Form.Item>
                    {mayUpdate ? (
                      <IconButton
                        label="去掉这个文件"
                        icon={<DeleteOutlined />}
                        onClick={() => remove(name)}
                      />
                    ) : null}
                  </div>
                ))}
                {mayUpdate && items.length < MAX_FILES ? (
                  <Button icon={<PlusOutlined aria-hidden />} onClick={() => add({ name: '', content: '' })}>
                    添加文件
                  </Button>
                ) : null}
              </>
            )}
          </Form.List>
        </section>
      </Card>
      <Card>
        <section aria-label="抓取规则">
          <h2>抓取规则</h2>
          <FormField
            field={{
              name: 'closed',
              kind: 'switch',
              label: '不让搜索引擎收录本站',
              help: '网站还在筹备时可以打开。已经收录的页面会逐渐消失，想快些可到各站长平台申请删除',
            }}
          />
          {isClosed ? (
            <Alert
              type="warning"
              showIcon
              title="打开后搜索引擎不再收录任何页面，下面另加的规则也不起作用；开站时记得关上"
              className={styles.alert}
            />
          ) : null}
          <FormField
            field={{
              name: 'robots',
              kind: 'lines',
              label: '另加的规则',
              maxLength: MAX_ROBOTS,
              rows: 6,
              help: '接在默认规则之后，每行一条，如 Disallow: /tag/。为某个爬虫单列了 User-agent 时，默认规则对它不再有效',
            }}
          />
          <div>
            <div className={styles.head}>
              <h3>robots.txt</h3>
              <Button size="small" disabled={isBusy} onClick={() => void showPreview()}>
                预览
              </Button>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
            <section className={styles.text} tabIndex={0} aria-label="robots.txt 的内容">
              <pre>{preview}</pre>
            </section>
          </div>
        </section>
      </Card>
      {mayUpdate ? (
        <div>
          <Button type="primary" htmlType="submit" disabled={!isChanged} loading={isBusy}>
            保存
          </Button>
        </div>
      ) : null}
    </Form>
  );
}
