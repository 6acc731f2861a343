-- How many new values of a kind a day has had.
select used
from novelty
where day = @day
  and kind = @kind
