insert into host (name)
select @host
where @host <> ''
on conflict (name) do nothing
