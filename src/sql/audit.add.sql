insert into audit (at, who, what)
values (@at, @who, @what)
