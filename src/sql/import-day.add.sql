-- A day that was erased since may belong to another import.
insert into import_day (day, import_id, grain, stored)
values (@day, @import_id, @grain, 0)
on conflict (day) do update
set import_id = excluded.import_id,
  grain = excluded.grain,
  stored = 0
