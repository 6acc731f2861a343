insert into new_title_day (
  day, page_id, title_id, views
)
values (
  @period, @page_id, @title_id, @views
)
