-- Deletes all rows before a recalculation from the orders.
delete from revenue_period
where kind is not null
