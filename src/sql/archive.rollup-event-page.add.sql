insert into new_event_page_rollup (
  period, name_id, page_id, total
)
values (
  @period, @name_id, @page_id, @total
)
