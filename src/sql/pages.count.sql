-- How many pages the list has, and all views of the range.
select count(distinct d.page_id) as pages,
  (select ifnull(sum(views), 0) from site_day where day between @from and @to) as views
from page_rollup d
where d.period in (select period from temp.period)
  and d.views > 0
  and (@search is null or d.page_id in (
    select p.id
    from page p
    left join label t on t.id = p.title_id
    where instr(fold(p.path), @search) > 0 or instr(fold(t.text), @search) > 0
  ))
