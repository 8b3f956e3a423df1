import { Pagination } from 'antd';

interface SmallPaginationProps {
  page: number;
  pageSize: number;
  total: number;
  onChange: (page: number) => void;
}

/** Page numbers below a list inside a panel; nothing if there is one page. */
export const SmallPagination = ({ page, total, ...props }: SmallPaginationProps) =>
  total <= props.pageSize ? null : (
    <Pagination {...props} current={page} total={total} showSizeChanger={false} size="small" align="end" />
  );
