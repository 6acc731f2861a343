-- All of it, to be derived again from the orders.
delete from revenue_period
where kind is not null
