-- How many pages the list has.
select count(distinct d.page_id) as rows
from page_rollup d
where d.period in (select period from temp.period)
  and d.entries > 0
  and (@search is null or d.page_id in (
    select p.id
    from page p
    left join label t on t.id = p.title_id
    where instr(fold(p.path), @search) > 0 or instr(fold(t.text), @search) > 0
  ))
