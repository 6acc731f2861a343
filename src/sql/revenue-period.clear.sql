-- All of it, to be derived anew from the orders.
delete from revenue_period
where kind is not null
