-- name: revenue.selected.tables
-- Hides the revenue rollups from the reports of a cut day: the same columns for its part of the orders.
create temp table revenue_period as select * from main.revenue_period where false;
create unique index temp."revenue_period#kind#currency#period#key#part" on revenue_period (kind, currency, period, key, part);
