-- What somebody did.
insert into audit (at, who, action, details)
values (@at, @who, @action, @details)
