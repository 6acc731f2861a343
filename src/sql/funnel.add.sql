-- The new funnel.
insert into funnel (name, steps, strict, created_at)
values (@name, @steps, @strict, @created_at)
returning id
