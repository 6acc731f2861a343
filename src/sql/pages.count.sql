-- How many pages the list has, and all views of the range.
select count(*) as pages,
  (select ifnull(sum(views), 0) from site_day where day between @from and @to) as views
from (
  select d.page_id
  from page_rollup d
  join page p on p.id = d.page_id
  left join label t on t.id = p.title_id
  where d.period in (select period from temp.period)
    and (@search is null or instr(fold(p.path), @search) > 0 or instr(fold(t.text), @search) > 0)
  group by d.page_id
  having sum(d.views) > 0
)
