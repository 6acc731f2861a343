-- The periods that cover the range of a report.
create temp table if not exists period (period integer primary key)
