insert into new_event_rollup (
  period, name_id, total, visitors, sessions, value_sum, last_event_id
)
values (
  @period, @name_id, @total, @visitors, @sessions, @value_sum, @last_event_id
)
